import assert from "node:assert/strict";
import test from "node:test";
import { ref, specTest, testAnchorId } from "@libar-dev/software-delivery-protocol/anchors";
import { Cart } from "../src/cart.ts";

export const twoLinesTest = specTest({
  id: testAnchorId("test:storefront.cart.two-lines"),
  verifies: ref("spec:storefront.cart.two-lines"),
});

test("two lines make one total", () => {
  const cart = new Cart().add({ name: "pen", quantity: 2, cents: 120 }).add({ name: "book", quantity: 1, cents: 990 });
  const total = cart.lines.reduce((sum, line) => sum + line.quantity * line.cents, 0);
  assert.equal(total, 1230);
});
