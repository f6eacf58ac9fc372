/**
 * How many things are in the cart.
 *
 * @sdpAnchor impl:storefront.badge
 * @sdpReferences spec:storefront.cart
 * @sdpUses component:storefront.cart
 * @sdpRole view
 */
export const Badge = ({ count }: { count: number }) => <span className="badge">{count}</span>;
