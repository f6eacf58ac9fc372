import { refines, spec, specId, verifies } from "@libar-dev/software-delivery-protocol";

export const twoLines = spec({
  id: specId("spec:storefront.cart.two-lines"),
  title: "Two lines make one total",
  kind: "example",
  altitude: "story",
  readiness: "ready",
  relations: [refines("spec:storefront.cart"), verifies("spec:storefront.cart")],
  narrative: "Shows spec:storefront.cart#rule.total where two lines differ.",
  intent: { outcome: "The total of a cart is what its lines cost together." },
  behavior: {
    examples: [
      {
        given: ["A cart with 2 pens for 120 cents each"],
        when: ["1 book for 990 cents is added"],
        then: ["The total is 1230 cents"],
      },
    ],
  },
});
