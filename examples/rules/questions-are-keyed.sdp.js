// @title Questions are keyed
// @rule questions-are-keyed
// @description An open question has a key, so that it has an address: a ticket or an answer can name it, and the name stays when questions before it are answered.
// @params
return g.specs().flatMap(({ id, file }) => {
  const questions = g.byId(id).sections?.intent?.openQuestions ?? [];
  return questions.flatMap(({ question, blocking, key }, index) => {
    if (key !== undefined) return [];
    const mark = blocking ? "blocking" : "non-blocking";
    const remedy = file.endsWith(".ts") ? 'write it as `{ question: "…", key: "yourKey" }`' : `open it with \`[${mark} #yourKey]\``;
    return [{
      subject: id,
      path: `intent.openQuestions[${index}]`,
      message: `the question "${question}" has no key: ${remedy}`,
    }];
  });
});
