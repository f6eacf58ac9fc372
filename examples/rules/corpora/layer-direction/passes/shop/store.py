# Keeps orders in the database.
#
# @sdpAnchor component:shop.store
# @sdpLayer adapter
# @sdpUses component:shop.refunds
import sqlite3
