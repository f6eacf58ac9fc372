# @sdpAnchor test:shop.order.lines
# @sdpVerifies spec:shop.order
test "$(shop order)" = "no line"

# @sdpAnchor test:shop.refund.once
# @sdpVerifies spec:shop.refund
test "$(shop refund order-1)" = "refunded already"
