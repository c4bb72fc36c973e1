/** Sends an event again, and waits a while for what comes of it. */
import { act, get, type Session } from "../../api/request.ts"
import { describeAttempt } from "./describeAttempt.ts"

export const redeliver = async (session: Session, id: string): Promise<string> => {
  const path = `api/v1/signalbox/deliveries/${encodeURIComponent(id)}`
  const { data: queued } = await act<"deliveries.redeliver">(session, "POST", `${path}/redeliver`)
  const before = queued.last_attempt?.at
  for (let looks = 0; looks < maxLooks; looks++) {
    await new Promise((resolve) => setTimeout(resolve, lookMillis))
    const { data } = await get<"deliveries.get">(path)
    if (data.last_attempt !== null && data.last_attempt.at !== before) {
      return `The delivery is ${data.state}: ${describeAttempt(data.last_attempt)}.`
    }
  }
  return "The delivery is queued; its attempt has not ended yet."
}

const lookMillis = 500
const maxLooks = 40
