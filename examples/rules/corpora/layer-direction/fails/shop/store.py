# Keeps orders in the database.
#
# @sdpAnchor component:shop.store
# @sdpLayer adapter
import sqlite3
