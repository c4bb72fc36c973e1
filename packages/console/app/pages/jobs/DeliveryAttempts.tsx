/** The attempts of one delivery, read when they are looked at. */
import { useState } from "preact/hooks"
import { useApi } from "../../api/useApi.ts"
import { Loading } from "../../components/Loading.tsx"
import { Time } from "../../components/Time.tsx"
import { describeAttempt } from "./describeAttempt.ts"

export const DeliveryAttempts = ({ at, id }: { readonly id: string; readonly at: string }) => {
  const [isOpen, setOpen] = useState(false)
  const delivery = useApi<"deliveries.get">(
    isOpen ? `api/v1/signalbox/deliveries/${encodeURIComponent(id)}` : undefined
  )
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class="small">
        <Time at={at} />
      </summary>
      {isOpen && (
        <Loading loaded={delivery}>
          {({ data: { attempts } }) => (
            <ol class="attempts small">
              {attempts.map((attempt) => (
                <li key={attempt.at}>
                  <Time at={attempt.at} />: {describeAttempt(attempt)}
                </li>
              ))}
            </ol>
          )}
        </Loading>
      )}
    </details>
  )
}
