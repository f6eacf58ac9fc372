import { codeAnchor, codeAnchorId, componentAnchorId, ref } from "@libar-dev/software-delivery-protocol/anchors";

export interface Line {
  readonly name: string;
  readonly quantity: number;
  readonly cents: number;
}

export class Cart {
  readonly #lines: Line[] = [];

  add(line: Line): this {
    this.#lines.push(line);
    return this;
  }

  get lines(): readonly Line[] {
    return this.#lines;
  }
}

export const cartAnchor = codeAnchor({
  id: componentAnchorId("component:storefront.cart"),
  satisfies: ref("spec:storefront.cart"),
  references: [ref("spec:storefront.decisions.whole-cents")],
  uses: [codeAnchorId("impl:storefront.total")],
  layer: "domain",
});
