/** One provider: its state, its controls, and what the last hour would have been like without it. */
import { useApi } from "../../api/useApi.ts"
import type { Session } from "../../api/request.ts"
import { Loading } from "../../components/Loading.tsx"
import { Money } from "../../components/Money.tsx"
import { Section } from "../../components/Section.tsx"
import { StatusBadge } from "../../components/statusColumns.tsx"
import { formatCount, formatMillis, formatShare } from "../../format/format.ts"
import { toHash } from "../../routing/location.ts"
import { ControlActions } from "./ControlActions.tsx"
import { ControlBadge } from "./ControlBadge.tsx"
import { Preview } from "./Preview.tsx"

export const ProviderDetail = ({
  session,
  slug
}: {
  readonly session: Session
  readonly slug: string
}) => {
  const providers = useApi<"live.listProviders">(
    "api/v1/signalbox/providers",
    { provider: slug },
    { every: 15_000 }
  )
  return (
    <>
      <p>
        <a href={toHash(["providers"])}>Back to the list</a>
      </p>
      <Loading
        loaded={providers}
        isEmpty={({ data }) => data.length === 0}
        empty="The catalog has no such provider."
      >
        {({ data: [provider] }) =>
          provider === undefined ? null : (
            <>
              <Section title={provider.name}>
                <dl class="facts">
                  <dt>State</dt>
                  <dd>
                    <StatusBadge status={provider} />{" "}
                    <a class="small" href={toHash(["incidents"], { provider: slug })}>
                      Incidents
                    </a>
                  </dd>
                  <dt>Control</dt>
                  <dd>
                    <ControlBadge control={provider.control} />
                  </dd>
                  <dt>Share of traffic</dt>
                  <dd>
                    {formatShare(provider.share)} of the attempts of 24 hours,{" "}
                    <Money usd={provider.figures.cost} />
                  </dd>
                  <dt>Latency</dt>
                  <dd>95 % within {formatMillis(provider.latency_p95)}</dd>
                  <dt>Models</dt>
                  <dd>
                    <a href={toHash(["models"], { provider: slug })}>
                      {formatCount(provider.models)}
                    </a>
                  </dd>
                </dl>
                <ControlActions
                  control={provider.control}
                  name={provider.name}
                  reload={providers.reload}
                  session={session}
                  slug={slug}
                />
              </Section>
              <Section title="If it goes down">
                <Preview change={{ kind: "provider", id: slug, state: "disabled" }} />
              </Section>
            </>
          )
        }
      </Loading>
    </>
  )
}
