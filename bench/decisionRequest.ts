/** The measured Decision: three questions, about 800 bytes. */
export const decisionRequest = {
  model: "bench/judge",
  state: {
    subject: "Charged twice",
    message:
      "Hello, I ordered a lamp last week and my card was charged twice. Please refund one of the " +
      "charges today, my rent is due tomorrow and I really need the money back on my account."
  },
  questions: {
    urgent: { type: "noul", instructions: "Does this need an answer today?" },
    topic: {
      type: "choice",
      instructions: "What is it about?",
      criteria: { billing: "Money and invoices", shipping: "Parcels", other: null }
    },
    mood: { type: "score", instructions: "How happy?", criteria: ["angry", "neutral", "happy"] }
  }
} as const
