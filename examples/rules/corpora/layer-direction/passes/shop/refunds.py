# What a refund is.
#
# @sdpAnchor component:shop.refunds
# @sdpLayer domain
# @sdpSatisfies spec:shop.refund
class Refund:
    pass
