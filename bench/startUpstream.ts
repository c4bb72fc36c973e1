/** A loopback upstream that answers every Decision at once, so that its own time does not count. */
import { startListener } from "./startListener.ts"

const answer = JSON.stringify({
  id: "gen-dec-0-bench",
  model: "bench/judge-20261120",
  provider: "Bench",
  answers: {
    urgent: { type: "noul", noul: 0.83 },
    topic: {
      type: "choice",
      choice: "billing",
      confidence: 0.67,
      probabilities: { billing: 0.78, shipping: 0.22, other: 0 }
    },
    mood: {
      type: "score",
      score: 1.2,
      confidence: 0.6,
      probabilities: { "0": 0.2, "1": 0.4, "2": 0.4 },
      legend: { "0": "angry", "1": "neutral", "2": "happy" }
    }
  },
  usage: { input_tokens: 120, output_tokens: 0, cost: 0.00012 }
})

export const startUpstream = () =>
  startListener((request, response) => {
    request.resume()
    request.on("end", () => {
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(answer)
      })
      response.end(answer)
    })
  })
