//! The random numbers of CPython 3.11, so that a generator written in Python can be followed number by number. A seed comes
//! in; the same choices as those of `random.Random(seed)` go out. It must never serve where numbers have to be secret.

/// How many words the generator's state has.
const WORDS: usize = 624;
/// How far apart the words stand that are mixed with each other.
const SHIFT: usize = 397;

/// A Mersenne Twister (MT19937) that is seeded and asked as CPython does it.
pub(crate) struct PythonRandom {
    state: [u32; WORDS],
    /// The word that is given out next.
    next: usize,
}

#[expect(clippy::indexing_slicing, reason = "every index is taken modulo the length of the array, or drawn below it")]
impl PythonRandom {
    /// `random.Random(seed)`.
    pub(crate) fn new(seed: u64) -> Self {
        // The seed's 32-bit digits, lowest first, without leading zeros.
        let (low, high) = (seed as u32, (seed >> 32) as u32);
        let key = if high == 0 { &[low][..] } else { &[low, high] };

        let mut state = [0_u32; WORDS];
        state[0] = 19_650_218;
        for i in 1..WORDS {
            let last = state[i - 1];
            state[i] = (last ^ (last >> 30)).wrapping_mul(1_812_433_253).wrapping_add(i as u32);
        }
        let mut i = 1;
        for step in 0..WORDS {
            let j = step % key.len();
            let last = state[i - 1];
            state[i] =
                (state[i] ^ (last ^ (last >> 30)).wrapping_mul(1_664_525)).wrapping_add(key[j]).wrapping_add(j as u32);
            i = Self::following(i, &mut state);
        }
        for _ in 1..WORDS {
            let last = state[i - 1];
            state[i] = (state[i] ^ (last ^ (last >> 30)).wrapping_mul(1_566_083_941)).wrapping_sub(i as u32);
            i = Self::following(i, &mut state);
        }
        state[0] = 1 << 31;
        Self { state, next: WORDS }
    }

    /// The index after `i` while the state is seeded: the first word takes the last one's value and is left out.
    fn following(i: usize, state: &mut [u32; WORDS]) -> usize {
        if i + 1 < WORDS {
            return i + 1;
        }
        state[0] = state[WORDS - 1];
        1
    }

    /// 32 random bits.
    fn word(&mut self) -> u32 {
        if self.next == WORDS {
            for i in 0..WORDS {
                let mixed = (self.state[i] & (1 << 31)) | (self.state[(i + 1) % WORDS] & !(1 << 31));
                let twist = if mixed & 1 == 0 { 0 } else { 0x9908_b0df };
                self.state[i] = self.state[(i + SHIFT) % WORDS] ^ (mixed >> 1) ^ twist;
            }
            self.next = 0;
        }
        let mut word = self.state[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= (word << 7) & 0x9d2c_5680;
        word ^= (word << 15) & 0xefc6_0000;
        word ^ (word >> 18)
    }

    /// A number below `limit`, which is at least 1: as many bits as `limit` has, drawn until they are below it.
    fn below(&mut self, limit: u32) -> u32 {
        loop {
            let drawn = self.word() >> limit.leading_zeros();
            if drawn < limit {
                return drawn;
            }
        }
    }

    /// `randrange(START, STOP)`.
    pub(crate) fn randrange<const START: u32, const STOP: u32>(&mut self) -> u32 {
        const { assert!(START < STOP) }
        START + self.below(STOP - START)
    }

    /// `choice(population)`.
    pub(crate) fn choice<T: Copy, const N: usize>(&mut self, population: &[T; N]) -> T {
        const { assert!(N > 0 && N <= u32::MAX as usize) }
        population[self.below(N as u32) as usize]
    }

    /// `sample(population, K)`, for the sizes at which CPython draws again what it has drawn before: a few of many. For
    /// other sizes it shuffles, which nothing here needs.
    pub(crate) fn sample<T: Copy, const N: usize, const K: usize>(&mut self, population: &[T; N]) -> [T; K] {
        const { assert!(K <= 5 && N > 21 && N <= u32::MAX as usize) }
        let mut drawn = Vec::with_capacity(K);
        std::array::from_fn(|_| {
            loop {
                let index = self.below(N as u32) as usize;
                if !drawn.contains(&index) {
                    drawn.push(index);
                    return population[index];
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All the numbers in these tests were printed by CPython 3.11.
    fn words<const N: usize>(seed: u64) -> [u32; N] {
        let mut random = PythonRandom::new(seed);
        std::array::from_fn(|_| random.word())
    }

    fn thirty() -> [u32; 30] {
        std::array::from_fn(|i| i as u32)
    }

    #[test]
    fn a_seed_gives_the_bits_that_python_gives() {
        assert_eq!(words(0), [3_626_764_237, 1_654_615_998, 3_255_389_356, 3_823_568_514]);
        assert_eq!(words(7), [1_390_851_128, 4_071_050_724, 647_892_279, 1_695_753_998]);
    }

    #[test]
    fn a_seed_beyond_32_bits_counts_whole() {
        assert_eq!(words((1 << 32) + 5), [675_479_763, 2_085_189_291, 1_213_270_837, 3_822_202_474]);
        assert_eq!(words(u64::MAX), [93_740_670, 1_068_495_656, 1_452_108_352, 2_657_516_307]);
    }

    #[test]
    fn the_state_is_renewed_when_it_is_used_up() {
        let words: [u32; 1249] = words(7);
        assert_eq!(words[1247..], [3_230_292_183, 266_543_596]);
    }

    #[test]
    fn ranges_choices_and_samples_are_those_of_python() {
        let mut random = PythonRandom::new(7);
        assert_eq!([(); 6].map(|()| random.randrange::<50, 900>()), [381, 204, 454, 716, 99, 124]);
        let mut random = PythonRandom::new(7);
        assert_eq!([(); 8].map(|()| random.choice(&thirty())), [10, 4, 12, 20, 1, 2, 26, 17]);
        let mut random = PythonRandom::new(7);
        let few: [u32; 22] = std::array::from_fn(|i| i as u32);
        assert_eq!(random.sample(&few), [10, 4, 12, 20, 1]);
    }

    #[test]
    fn a_choice_of_one_draws_all_the_same() {
        let mut random = PythonRandom::new(7);
        assert_eq!(random.choice(&[5]), 5);
        assert_eq!(random.word(), 4_071_050_724);
    }

    #[test]
    fn a_sample_draws_again_what_it_has_drawn_before() {
        let mut random = PythonRandom::new(10);
        assert_eq!([(); 5].map(|()| random.choice(&thirty())), [18, 1, 13, 15, 18]);
        let mut random = PythonRandom::new(10);
        assert_eq!(random.sample(&thirty()), [18, 1, 13, 15, 0]);
    }
}
