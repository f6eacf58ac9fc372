import { decidedBy, spec, specId } from "@libar-dev/software-delivery-protocol";

export const cart = spec({
  id: specId("spec:storefront.cart"),
  title: "A cart holds what a customer wants",
  kind: "behavior",
  altitude: "feature",
  readiness: "ready",
  relations: [decidedBy("spec:storefront.decisions.whole-cents")],
  intent: {
    actor: "customer",
    outcome: "What is wanted is kept together with its price until it is ordered.",
    openQuestions: [{ question: "How long does an untouched cart live?", blocking: false, key: "lifetime" }],
  },
  behavior: {
    rules: [
      { rule: "The total is the sum of all lines.", key: "total" },
      "A line has a quantity of at least one.",
    ],
  },
  design: { store: "A cart is a list of lines and nothing else." },
});
