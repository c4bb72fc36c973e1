/** What a traffic control would have done with the traffic of the last hour. */
import type { Query } from "../../api/request.ts"
import { useApi } from "../../api/useApi.ts"
import { Loading } from "../../components/Loading.tsx"
import { formatCount, formatShare } from "../../format/format.ts"
import { toHash } from "../../routing/location.ts"
import { describePreview } from "./describePreview.ts"

export const Preview = ({ change }: { readonly change: Query }) => {
  const preview = useApi<"traffic.previewControl">(
    "api/v1/signalbox/traffic-controls/preview",
    change
  )
  return (
    <Loading loaded={preview}>
      {({ data }) => (
        <>
          <p class="sentence">{describePreview(data)}</p>
          {data.lost_models.length > 0 && (
            <ul>
              {data.lost_models.slice(0, 10).map(({ model, requests }) => (
                <li key={model}>
                  <a href={toHash(["requests"], { model, range: "1h" })}>{model}</a>:{" "}
                  {formatCount(requests)} requests
                </li>
              ))}
            </ul>
          )}
          {data.providers.length > 0 && (
            <p class="small">
              Shares of the attempts:{" "}
              {data.providers
                .slice(0, 5)
                .map(
                  ({ provider, share_after: after, share_before: before }) =>
                    `${provider} ${formatShare(before)} → ${formatShare(after)}`
                )
                .join(", ")}
              .
            </p>
          )}
          <p class="muted small">
            {formatCount(data.requests)} recorded requests of the last hour
            {data.is_sample ? ", a sample," : ""} routed again
            {data.unrecorded_endpoints.length > 0 &&
              `; nothing is recorded of ${data.unrecorded_endpoints.slice(0, 3).join(", ")}${data.unrecorded_endpoints.length > 3 ? " and others" : ""}`}
            .
          </p>
        </>
      )}
    </Loading>
  )
}
