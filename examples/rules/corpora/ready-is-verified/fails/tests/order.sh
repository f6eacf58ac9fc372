# @sdpAnchor test:shop.order.lines
# @sdpVerifies spec:shop.order
test "$(shop order)" = "no line"
