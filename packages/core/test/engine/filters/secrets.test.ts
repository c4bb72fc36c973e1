/** Keys of each provider, in the forms of the sources that `secrets.ts` names, are found from their first to their last character. */
import { describe, expect, it } from "vitest"
import { findSecrets } from "../../../src/engine/filters/detectors/secrets.ts"
import { outlineText } from "../../../src/engine/filters/outlineText.ts"

const findIn = (text: string) => findSecrets(text, outlineText(text))
const repeat = (unit: string, count: number): string =>
  unit.repeat(Math.ceil(count / unit.length)).slice(0, count)
const mixed = (count: number): string => repeat("aB3dE6gH9jK2mN5pQ8", count)
const letters = (count: number): string => repeat("aBcDeFgHiJkLmN", count)
const upper = (count: number): string => repeat("AB3DE6GH7JK2", count)
const hex = (count: number): string => repeat("a3b6c9d2e5f8", count)
const digits = (count: number): string => repeat("1739264805", count)
const uuid = `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`

const keys: ReadonlyArray<readonly [kind: string, ...keys: ReadonlyArray<string>]> = [
  ["openrouter", `sk-or-v1-${hex(64)}`],
  ["anthropic", `sk-ant-api03-${mixed(93)}AA`, `sk-ant-admin01-${mixed(95)}`],
  [
    "openai",
    `sk-proj-${mixed(74)}`,
    `sk-svcacct-${mixed(74)}`,
    `sk-${mixed(20)}T3BlbkFJ${mixed(20)}`
  ],
  ["deepseek-or-openai", `sk-${hex(32)}`, `sk-${mixed(48)}`],
  ["google", `AIza${mixed(35)}`],
  ["google-oauth", `GOCSPX-${mixed(28)}`, `ya29.${mixed(60)}`],
  ["aws", `AKIA${repeat("AB3DE6G7", 16)}`, `ASIA${repeat("AB3DE6G7", 16)}`],
  ["bedrock", `ABSK${mixed(128)}`, `bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t${mixed(200)}`],
  ["github", `ghp_${mixed(36)}`, `gho_${mixed(36)}`, `ghr_${mixed(76)}`, `github_pat_${mixed(82)}`],
  ["gitlab", `glpat-${mixed(20)}`, `glffct-${mixed(20)}`, `GR1348941${mixed(20)}`],
  ["slack", `xoxb-${digits(12)}-${mixed(24)}`, `xapp-1-${upper(11)}-${digits(13)}-${hex(64)}`],
  ["slack-webhook", `hooks.slack.com/services/${upper(9)}/${upper(11)}/${mixed(24)}`],
  ["teams-webhook", `IncomingWebhook/${hex(32)}/${uuid}`],
  ["stripe", `sk_live_${mixed(24)}`, `rk_test_${mixed(24)}`, `rk_prod_${mixed(10)}`],
  ["twilio", `SK${hex(32)}`, `AC${hex(32).toUpperCase()}`],
  ["sendgrid", `SG.${mixed(22)}.${mixed(43)}`],
  ["mailgun", `key-${hex(32)}`],
  ["mailchimp", `${hex(32)}-us12`],
  ["npm", `npm_${mixed(36)}`],
  ["pypi", `pypi-AgEIcHlwaS5vcmc${mixed(60)}`],
  ["rubygems", `rubygems_${hex(48)}`],
  ["docker", `dckr_pat_${mixed(27)}`],
  ["huggingface", `hf_${letters(34)}`, `api_org_${letters(34)}`],
  ["replicate", `r8_${mixed(37)}`],
  ["groq", `gsk_${mixed(52)}`],
  ["xai", `xai-${mixed(80)}`],
  ["perplexity", `pplx-${mixed(48)}`],
  ["nvidia", `nvapi-${mixed(64)}`],
  ["fireworks", `fw_${mixed(24)}`],
  ["cerebras", `csk-${repeat("ab3de6gh9", 48)}`],
  ["tavily", `tvly-${mixed(32)}`, `tvly-dev-${mixed(32)}`],
  ["langsmith", `lsv2_pt_${hex(32)}_${hex(10)}`],
  ["pinecone", `pcsk_${mixed(6)}_${mixed(63)}`],
  ["digitalocean", `dop_v1_${hex(64)}`],
  ["shopify", `shpat_${hex(32)}`],
  ["square", `EAAA${mixed(60)}`, `EAAA${mixed(22)}`, `sq0atp-${mixed(22)}`, `sq0csp-${mixed(43)}`],
  ["databricks", `dapi${hex(32)}`],
  ["hashicorp", `hvs.${mixed(95)}`, `${mixed(14)}.atlasv1.${mixed(67)}`],
  ["grafana", `glc_${mixed(60)}`, `glsa_${mixed(32)}_${hex(8)}`],
  ["grafana-key", `eyJrIjoi${mixed(84)}`],
  ["new-relic", `NRAK-${upper(27)}`],
  ["sentry", `sntryu_${hex(64)}`, `sntrys_eyJpYXQiO${mixed(120)}_${mixed(43)}`],
  ["linear", `lin_api_${mixed(40)}`],
  ["notion", `ntn_${mixed(46)}`, `secret_${mixed(43)}`],
  ["figma", `figd_${mixed(40)}`],
  ["postman", `PMAK-${hex(24)}-${hex(34)}`],
  ["doppler", `dp.pt.${mixed(43)}`],
  ["supabase", `sbp_${hex(40)}`, `sb_secret_${mixed(31)}`],
  ["planetscale", `pscale_tkn_${mixed(43)}`],
  ["atlassian", `ATATT3${mixed(186)}`],
  ["dropbox", `sl.${mixed(130)}`],
  ["telegram", `${digits(10)}:AA${mixed(33)}`],
  ["discord", `M${mixed(23)}.${mixed(6)}.${mixed(38)}`],
  ["discord-webhook", `discord.com/api/webhooks/${digits(19)}/${mixed(68)}`],
  ["age", `AGE-SECRET-KEY-1${repeat("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)}`],
  [
    "1password",
    `ops_eyJ${mixed(900)}`,
    `A3-${upper(6)}-${upper(11)}-${upper(5)}-${upper(5)}-${upper(5)}`
  ],
  ["adobe", `p8e-${mixed(32)}`],
  ["airtable", `pat${mixed(14)}.${hex(64)}`],
  ["alibaba", `LTAI${mixed(20)}`],
  ["artifactory", `AKCp${mixed(69)}`, `cmVmd${mixed(59)}`],
  ["azure", `abc8Q~${mixed(34)}`],
  ["brevo", `xkeysib-${hex(64)}-${mixed(16)}`],
  ["clickhouse", `4b1d${mixed(38)}`],
  ["clojars", `CLOJARS_${hex(60)}`],
  ["cloudflare", `v1.0-${hex(24)}-${hex(146)}`],
  ["duffel", `duffel_test_${mixed(43)}`],
  ["dynatrace", `dt0c01.${upper(24)}.${upper(64)}`],
  ["easypost", `EZAK${mixed(54)}`, `EZTK${mixed(54)}`],
  ["facebook", `EAAC${mixed(140)}`],
  ["flutterwave", `FLWSECK_TEST-${hex(32)}-X`, `FLWSECK_TEST${hex(12).replace(/^/, "-")}`],
  ["fly", `fo1_${mixed(43)}`, `fm2_${mixed(600)}`],
  ["frameio", `fio-u-${mixed(64)}`],
  ["harness", `pat.${mixed(22)}.${mixed(24)}.${mixed(20)}`],
  ["heroku", `HRKU-AA${mixed(58)}`],
  ["infracost", `ico-${mixed(32)}`],
  ["maxmind", `${mixed(6)}_${mixed(29)}_mmk`],
  ["octopus", `API-${upper(26)}`],
  ["openshift", `sha256~${mixed(43)}`],
  ["prefect", `pnu_${mixed(36)}`],
  ["pulumi", `pul-${hex(40)}`],
  ["readme", `rdme_${repeat("ab3de6", 70)}`],
  ["scalingo", `tk-us-${mixed(48)}`],
  ["settlemint", `sm_pat_${mixed(16)}`],
  ["shippo", `shippo_live_${hex(40)}`],
  ["elevenlabs", `sk_${hex(48)}`],
  ["langfuse", `sk-lf-${uuid}`],
  ["jina", `jina_${mixed(60)}`],
  ["vercel", `vck_${mixed(56)}`, `vcp_${mixed(56)}`],
  [
    "jwt",
    `eyJ${mixed(33)}.eyJ${mixed(40)}.${mixed(43)}`,
    `eyJ${mixed(33)}.eyJ${mixed(1_500)}.${mixed(342)}`
  ]
]

describe.each(keys)("a key of %s", (kind, ...examples) => {
  it.each(examples)("is found: %s", (key) => {
    for (const before of ["Use ", "key=", "see https://", "'"]) {
      const text = `${before}${key} for this`
      expect(findIn(text)).toContainEqual({
        start: before.length,
        end: before.length + key.length,
        kind
      })
    }
  })
})

it("finds all of a long value that is assigned", () => {
  const value = mixed(2_000)
  expect(findIn(`password = "${value}"`)).toContainEqual({
    start: 12,
    end: 2_012,
    kind: "assigned"
  })
})

it("leaves hashes, versions and words with the beginning of a key alone", () => {
  const texts = [
    `commit 4b1d${hex(36)}`,
    `sha256:${hex(64)}`,
    "API-REFERENCE and A3-sized paper",
    "pat.example.com, v1.0-beta and fio-u-turn",
    "the scheme sk-learn and vc_funds"
  ]
  for (const text of texts) expect(findIn(text)).toEqual([])
})
