package shop

// @sdpAnchor impl:shop.placeOrder
// @sdpSatisfies spec:Shop.order
func PlaceOrder() {}
