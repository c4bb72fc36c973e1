import { expect, test } from "vitest"
import { judgeVideos } from "../../app/pages/jobs/judgeVideos.ts"

const now = Date.UTC(2026, 0, 2)
const submitted = (minutesAgo: number, provider: string | null = null, polls = 0) => ({
  created_at: new Date(now - minutesAgo * 60_000).toISOString(),
  model: "demo/film",
  polls,
  provider_name: provider
})

test.each([
  ["No: none is under way.", undefined],
  ["No: the oldest under way was submitted 29 min ago.", submitted(29)],
  [
    "Perhaps: one of demo/film has been under way for 1 h 30 min, and no provider has accepted it.",
    submitted(90)
  ],
  [
    "Perhaps: one of demo/film has been under way for 1 h 30 min, and Studio has accepted it, and has not reported its state yet.",
    submitted(90, "Studio")
  ],
  [
    "Perhaps: one of demo/film has been under way for 1 h 30 min, and Studio has reported 12 times that it is not done.",
    submitted(90, "Studio", 12)
  ]
])("says %s", (sentence, oldest) => {
  expect(judgeVideos(oldest, now)).toBe(`Is a video stuck? ${sentence}`)
})
