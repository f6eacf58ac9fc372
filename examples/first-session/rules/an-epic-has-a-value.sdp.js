return g.specs()
  .filter((s) => s.altitude === "epic" && !g.byId(s.id).sections?.intent?.value)
  .map((s) => ({ subject: s.id, message: "an epic says what it is worth" }));
