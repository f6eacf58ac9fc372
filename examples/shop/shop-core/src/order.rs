//! Orders.

/// What a customer orders.
#[sdp::component("spec:shop.order", layer = "domain", context = "sales")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Order {
    lines: Vec<u64>,
}

/// Why an order is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderError {
    /// It holds nothing.
    Empty,
    /// One of its lines costs nothing.
    FreeLine,
}

impl Order {
    /// An order with the prices of its lines.
    ///
    /// # Errors
    /// An order without a line, or with one that costs nothing.
    #[sdp::satisfies("spec:shop.order", component = "component:shop-core.order.Order", role = "command")]
    pub fn place(lines: &[u64]) -> Result<Self, OrderError> {
        if lines.is_empty() {
            return Err(OrderError::Empty);
        }
        if lines.contains(&0) {
            return Err(OrderError::FreeLine);
        }
        Ok(Order { lines: lines.to_vec() })
    }

    /// What the order costs.
    #[sdp::anchor(component = "component:shop-core.order.Order", role = "query")]
    pub fn total(&self) -> u64 {
        self.lines.iter().fold(0, |total, line| total.saturating_add(*line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[sdp::verifies("spec:shop.order")]
    #[test]
    fn an_order_without_a_line_is_refused() {
        assert_eq!(Order::place(&[]), Err(OrderError::Empty));
    }

    #[sdp::verifies("spec:shop.order")]
    #[test]
    fn a_line_costs_more_than_nothing() {
        assert_eq!(Order::place(&[500, 0]), Err(OrderError::FreeLine));
        assert_eq!(Order::place(&[500, 250]).map(|order| order.total()), Ok(750));
    }
}
