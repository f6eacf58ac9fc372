//! Every kind of item stays what it is under an attribute.

extern crate sdp_anchors as sdp;

/// A function with documentation.
#[sdp::satisfies("spec:a.b")]
#[inline]
pub(crate) fn plain(one: u8) -> u8 {
    one
}

#[sdp::satisfies("spec:a.b")]
pub async fn later() {}

#[sdp::satisfies("spec:a.b")]
const fn constant() -> u8 {
    2
}

#[sdp::satisfies("spec:a.b")]
unsafe fn dangerous() -> u8 {
    3
}

#[sdp::satisfies("spec:a.b")]
pub const unsafe extern "C" fn foreign() -> u8 {
    4
}

#[sdp::satisfies("spec:a.b")]
fn generic<const N: usize, T>(_: [T; N]) -> usize
where
    T: Copy,
{
    N
}

#[sdp::satisfies("spec:a.b")]
#[derive(Debug, Clone, PartialEq)]
struct Named<'a, T: ?Sized> {
    part: &'a T,
}

#[derive(Debug)]
#[sdp::satisfies("spec:a.b")]
struct Unit;

#[sdp::satisfies("spec:a.b")]
#[derive(Debug, PartialEq)]
enum Choice {
    First,
    Second(u8),
}

#[sdp::satisfies("spec:a.b")]
union Both {
    small: u8,
    large: u16,
}

#[sdp::anchor]
type Alias = Named<'static, u8>;

#[sdp::component]
trait Port {
    #[sdp::satisfies("spec:a.b")]
    const LIMIT: u8;

    #[sdp::anchor]
    type Kind;

    #[sdp::satisfies("spec:a.b")]
    fn needed(&self) -> u8;

    #[sdp::satisfies("spec:a.b")]
    fn given(&self) -> u8 {
        Self::LIMIT + self.needed()
    }
}

#[sdp::satisfies("spec:a.b", id = "impl:a.port")]
impl Port for Unit {
    const LIMIT: u8 = 5;
    type Kind = u8;

    #[sdp::satisfies("spec:a.b")]
    fn needed(&self) -> u8 {
        1
    }
}

#[sdp::anchor(id = "impl:a.unit")]
impl Unit {
    #[sdp::satisfies("spec:a.b")]
    const HERE: u8 = 7;

    #[sdp::satisfies("spec:a.b")]
    pub(crate) fn r#type(&self) -> u8 {
        Self::HERE
    }
}

#[sdp::component(layer = "domain")]
mod inline {
    //! A module with documentation of its own.

    #[sdp::satisfies("spec:a.b")]
    pub(super) const DEEP: u8 = 8;

    pub(super) mod deeper {
        #[sdp::satisfies("spec:a.b")]
        pub(in crate::inline) static mut COUNT: u8 = 9;

        pub(crate) fn count() -> u8 {
            unsafe { COUNT }
        }
    }
}

#[sdp::anchor]
static __HIDDEN_ONE: &str = "hidden";

#[sdp::anchor(id = "impl:a.checked")]
const _: () = assert!(constant() == 2);

#[sdp::anchor(id = "impl:a.foreign")]
unsafe extern "C" {
    #[sdp::anchor]
    safe fn abs(value: i32) -> i32;
}

#[sdp::anchor(id = "impl:a.import")]
use std::collections::BTreeMap as Map;

#[sdp::anchor(id = "impl:a.macro")]
macro_rules! three {
    () => {
        3
    };
}

// Words that are keywords elsewhere only.
#[sdp::anchor]
#[allow(non_upper_case_globals)]
const safe: u8 = 10;

#[sdp::satisfies("spec:a.b", id = "impl:a.grosse")]
fn größe() -> u8 {
    11
}

#[cfg_attr(all(), sdp::satisfies("spec:a.b"))]
fn under_a_condition() {}

#[cfg(any())]
#[sdp::satisfies("this is no id, and nobody reads it")]
fn not_there() {}

// Several on one item.
#[sdp::satisfies("spec:a.b")]
#[sdp::models("spec:a.c")]
fn twice() {}

#[sdp::verifies("spec:a.b")]
#[test]
fn a_test() {}

#[test]
#[should_panic]
#[sdp::verifies("spec:a.b")]
fn a_test_that_fails() {
    panic!()
}

macro_rules! items {
    ($item:item $name:ident $visibility:vis) => {
        #[sdp::satisfies("spec:a.b")]
        $item

        #[sdp::satisfies("spec:a.b")]
        $visibility fn $name() -> u8 {
            12
        }
    };
}

items! { fn passed_on() -> u8 { 13 } named pub(crate) }

fn main() {
    #[sdp::satisfies("spec:a.b")]
    fn inner() -> u8 {
        14
    }

    let alias: Alias = Named { part: &0 };
    assert_eq!(alias.clone(), alias);
    assert_eq!((plain(1), unsafe { dangerous() }, unsafe { foreign() }), (1, 3, 4));
    drop(later());
    assert_eq!(generic([0_u8; 6]), 6);
    assert_ne!(Choice::First, Choice::Second(0));
    assert_eq!(unsafe { Both { small: 1 }.small }, 1);
    assert_eq!(unsafe { Both { large: 2 }.large }, 2);
    assert_eq!((Unit.given(), Unit.r#type(), inline::DEEP, inline::deeper::count()), (6, 7, 8, 9));
    assert_eq!((safe, größe(), named(), passed_on(), inner()), (10, 11, 12, 13, 14));
    assert_eq!((__HIDDEN_ONE, three!(), abs(-1), Map::<u8, u8>::new().len()), ("hidden", 3, 1, 0));
    under_a_condition();
    twice();
    let _: <Unit as Port>::Kind = 0;
}
