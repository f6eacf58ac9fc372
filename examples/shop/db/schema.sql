-- Where orders are kept. The constraint is the rule once more, for whatever writes past the program.
-- @sdpAnchor impl:shop.schema
-- @sdpSatisfies spec:shop.order
-- @sdpComponent component:shop-core.order.Order
-- @sdpRole store
CREATE TABLE order_line (
    order_id BIGINT NOT NULL,
    position INTEGER NOT NULL,
    cents BIGINT NOT NULL CHECK (cents > 0),
    PRIMARY KEY (order_id, position)
);
