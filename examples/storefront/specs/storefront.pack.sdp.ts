import { pack, packId } from "@libar-dev/software-delivery-protocol";

export const storefront = pack({
  id: packId("pack:storefront"),
  title: "The storefront",
  specs: ["spec:storefront.cart", "spec:storefront.cart.two-lines", "spec:storefront.decisions.whole-cents"],
});
