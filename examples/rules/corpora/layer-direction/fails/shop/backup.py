# Copies the database at night.
#
# @sdpAnchor component:shop.backup
# @sdpLayer infrastructure
# @sdpUses component:shop.store
from shop import store
