/** How long tests may take: far beyond what they need, so that a busy machine fails none. What hangs still ends. */
export const timeouts = {
  testTimeout: 240_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 60_000 } }
} as const
