package shop

// @sdpAnchor impl:shop.place
// @sdpSatisfies spec:shop.order
func PlaceOrder() {}
