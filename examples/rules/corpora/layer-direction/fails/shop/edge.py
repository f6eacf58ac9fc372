# The requests of the shop.
#
# @sdpAnchor component:shop.edge
# @sdpLayer edge
# @sdpUses component:shop.refunds
from shop import refunds
