/** The request of the printed curl: what to do with an angry message to customer support. */
import type { DecisionRequest } from "@signalbox/core/contract"

/** Without apostrophes, so that a shell can quote it with single quotes. */
export const exampleRequest = {
  model: "demo/overlap-2",
  state:
    "I was charged twice for order 4417 and nobody has answered my two emails. This is " +
    "unacceptable. Refund the second payment today or I will cancel my subscription.",
  questions: {
    leaving: {
      type: "noul",
      instructions: "Is this customer about to leave?",
      criteria: {
        true: "Threatens to cancel, to end the subscription or to switch to a competitor",
        false: "Wants to stay, to renew or to upgrade"
      }
    },
    team: {
      type: "choice",
      instructions: "Which team should answer?",
      criteria: {
        billing: "Charges, payments, invoices, refunds",
        technical: "Errors, crashes, login, anything that does not work",
        shipping: "Delivery, parcels, addresses",
        sales: "Offers, upgrades, quotes"
      }
    },
    urgency: {
      type: "score",
      instructions: "How soon does this need an answer?",
      criteria: [
        "A general question, whenever there is time",
        "A small problem, within the week",
        "An annoyed customer, waiting for an answer, within a day",
        "Unacceptable: money is gone, the customer wants it back today"
      ]
    }
  }
} satisfies DecisionRequest
