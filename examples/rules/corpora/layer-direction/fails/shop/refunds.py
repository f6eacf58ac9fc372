# What a refund is.
#
# @sdpAnchor component:shop.refunds
# @sdpLayer domain
# @sdpSatisfies spec:shop.refund
# @sdpUses component:shop.store
from shop import store
