/** The key under which simulated instances keep secrets. */
export const sealing = { current: "k1", keys: { k1: "a random text of at least 32 characters" } }
