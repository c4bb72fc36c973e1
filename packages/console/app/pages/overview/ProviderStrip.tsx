/** The providers with their state now, those that fail first. */
import { useApi } from "../../api/useApi.ts"
import { Badge } from "../../components/Badge.tsx"
import { Loading } from "../../components/Loading.tsx"
import { Section } from "../../components/Section.tsx"
import type { OperationResponse } from "@signalbox/core/contract"
import { formatShare, formatTime } from "../../format/format.ts"
import { toHash } from "../../routing/location.ts"

type Provider = OperationResponse<"live.listProviders">["data"][number]

const maxShown = 24

export const ProviderStrip = () => {
  const providers = useApi<"live.listProviders">(
    "api/v1/signalbox/providers",
    { limit: maxShown },
    { every: 15_000 }
  )
  return (
    <Section title="Providers now" aside={<a href={toHash(["providers"])}>All providers</a>}>
      <Loading
        loaded={providers}
        isEmpty={({ data }) => data.length === 0}
        empty={
          <>
            No model has a provider. Pass <code>upstreams</code> and <code>models</code> to{" "}
            <code>Signalbox.make</code>.
          </>
        }
      >
        {({ data, total_count: total }) => (
          <ul class="strip">
            {data.map((provider) => (
              <li key={provider.provider}>
                <a href={toHash(["providers", provider.provider])}>
                  <bdi>{provider.name}</bdi>
                </a>{" "}
                <State of={provider} />
              </li>
            ))}
            {total > data.length && (
              <li>
                <a href={toHash(["providers"])}>{total - data.length} more</a>
              </li>
            )}
          </ul>
        )}
      </Loading>
    </Section>
  )
}

const State = ({ of: provider }: { readonly of: Provider }) => {
  const { cause, control, failing_since: since, share } = provider
  if (since !== null) {
    return (
      <Badge tone="bad" title={`Since ${formatTime(since)}: ${cause ?? ""}`}>
        failing
      </Badge>
    )
  }
  if (control.state !== "active") return <Badge tone="warn">{control.state}</Badge>
  return (
    <>
      <Badge tone="good">healthy</Badge>
      {share > 0 && <span class="muted small"> {formatShare(share)} of traffic</span>}
    </>
  )
}
