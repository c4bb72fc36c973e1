/** Keys, tokens and passwords: those of known providers by their form, and others by what they are assigned to and their entropy. */
import { hashWord, isAscii, isIn, makeCharacterSet } from "../characterRuns.ts"
import { type Detection, type Detector, noDetections, type Span } from "../Detector.ts"

/**
 * Forms of tokens of providers in
 * https://docs.github.com/code-security/secret-scanning/introduction/supported-secret-scanning-patterns, by
 * https://github.com/gitleaks/gitleaks/blob/master/config/gitleaks.toml unless a row names its source. Each is anchored at the
 * beginning of a run of characters that tokens are made of.
 */
const forms: ReadonlyArray<readonly [kind: string, form: RegExp]> = [
  ["openrouter", /^sk-or-v1-[0-9a-f]{64}/],
  ["anthropic", /^sk-ant-(?:api|admin|sid|oat)\d\d-[\w-]{20,}/],
  [
    "openai",
    /^sk-(?:proj|svcacct|admin|None)-[\w-]{20,}|^sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}/
  ],
  ["deepseek-or-openai", /^sk-[A-Za-z0-9]{32,64}(?![\w-])/],
  ["google", /^AIza[\w-]{35}/],
  ["google-oauth", /^GOCSPX-[\w-]{28}|^ya29\.[\w-]{20,}/],
  ["aws", /^(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])/],
  ["bedrock", /^ABSK[A-Za-z0-9+/]{100,}={0,2}|^bedrock-api-key-[A-Za-z0-9+/]{28,}={0,2}/],
  ["github", /^gh[pousr]_[A-Za-z0-9]{36,}|^github_pat_\w{60,}/],
  ["gitlab", /^gl(?:pat|ptt|dt|rt|cbt|ft|ffct|soat|oas|agent|imt)-[\w-]{20,}|^GR1348941[\w-]{20}/],
  ["slack", /^xox[abeoprs]-[A-Za-z0-9-]{10,}|^xapp-\d-[A-Za-z0-9-]{20,}|^xwfp-[A-Za-z0-9-]{20,}/],
  ["slack-webhook", /^hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9+/]{43,56}/],
  ["teams-webhook", /^IncomingWebhook\/[a-z0-9]{32}\/[a-z0-9-]{36}/],
  ["stripe", /^(?:sk|rk|pk)_(?:live|test|prod)_[A-Za-z0-9]{10,}|^whsec_[A-Za-z0-9+/=]{24,}/],
  ["twilio", /^(?:AC|SK)[0-9a-fA-F]{32}(?![0-9A-Za-z])/],
  ["sendgrid", /^SG\.[\w-]{16,32}\.[\w-]{32,64}/],
  ["mailgun", /^key-[0-9a-f]{32}(?![0-9A-Za-z])/],
  ["mailchimp", /^[0-9a-f]{32}-us\d{1,2}(?!\w)/],
  ["npm", /^npm_[A-Za-z0-9]{36}/],
  ["pypi", /^pypi-AgE[\w-]{50,}/],
  ["rubygems", /^rubygems_[0-9a-f]{48}/],
  ["docker", /^dckr_(?:pat|oat)_[\w-]{20,}/],
  ["huggingface", /^(?:hf|api_org)_[A-Za-z]{34}/],
  ["replicate", /^r8_[A-Za-z0-9]{37}/],
  ["groq", /^gsk_[A-Za-z0-9]{40,}/],
  ["xai", /^xai-[A-Za-z0-9]{60,}/],
  ["perplexity", /^pplx-[A-Za-z0-9]{40,}/],
  ["nvidia", /^nvapi-[\w-]{60,}/],
  ["fireworks", /^fw_[A-Za-z0-9]{22,}/],
  ["cerebras", /^csk-[a-z0-9]{40,}/],
  ["tavily", /^tvly-(?:dev-|prod-)?[A-Za-z0-9]{20,}/],
  ["langsmith", /^lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}/],
  ["pinecone", /^pcsk_[A-Za-z0-9_]{50,}/],
  ["digitalocean", /^do[oprt]_v1_[0-9a-f]{64}/],
  ["shopify", /^shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}/],
  ["square", /^EAAA[\w-]{22,60}(?![\w-])|^sq0(?:atp|csp)-[\w-]{22,43}/],
  ["databricks", /^dapi[0-9a-f]{32}(?:-\d)?/],
  ["hashicorp", /^hv[sbr]\.[\w-]{24,}|^[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}/],
  ["grafana", /^gl(?:c|sa)_[A-Za-z0-9+/=_]{32,}/],
  ["new-relic", /^NR(?:AK|JS|II|RA)-[A-Za-z0-9-]{20,}/],
  ["sentry", /^sntry[su]_[A-Za-z0-9+/=_]{40,}/],
  ["linear", /^lin_(?:api|oauth)_[A-Za-z0-9]{32,}/],
  ["notion", /^(?:ntn_|secret_)[A-Za-z0-9]{40,}/],
  ["figma", /^fig[dou]_[\w-]{30,}/],
  ["postman", /^PMAK-[0-9a-f]{24}-[0-9a-f]{34}/],
  ["doppler", /^dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{36,}/],
  ["supabase", /^sb(?:p|_secret|_publishable)_[A-Za-z0-9_]{20,}/],
  ["planetscale", /^pscale_(?:tkn|oauth|pw)_[\w.-]{32,}/],
  ["atlassian", /^ATATT3[\w=-]{50,}|^ATCTT3[\w=-]{50,}/],
  ["dropbox", /^sl\.[\w-]{60,}/],
  ["telegram", /^\d{8,10}:AA[\w-]{33}(?![\w-])/],
  ["discord", /^[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}/],
  ["age", /^AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}/],
  [
    "1password",
    /^ops_eyJ[A-Za-z0-9+/]{250,}={0,3}|^A3-[A-Z0-9]{6}-[A-Z0-9-]{11,12}(?:-[A-Z0-9]{5}){3}/
  ],
  ["adobe", /^p8e-[A-Za-z0-9]{32}(?!\w)/],
  ["airtable", /^pat[A-Za-z0-9]{14}\.[a-f0-9]{64}/],
  ["alibaba", /^LTAI[A-Za-z0-9]{20}(?!\w)/],
  ["artifactory", /^AKCp[A-Za-z0-9]{69}(?!\w)|^cmVmd[A-Za-z0-9]{59}(?!\w)/],
  ["azure", /^[A-Za-z0-9_~.]{3}\dQ~[\w~.-]{31,34}/],
  ["brevo", /^xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}/],
  ["clickhouse", /^4b1d[A-Za-z0-9]{38}(?!\w)/],
  ["clojars", /^CLOJARS_[A-Za-z0-9]{60}/],
  ["cloudflare", /^v1\.0-[a-f0-9]{24}-[a-f0-9]{146}/],
  ["duffel", /^duffel_(?:test|live)_[\w=-]{43}/],
  ["dynatrace", /^dt0c01\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}/],
  ["easypost", /^EZ[AT]K[A-Za-z0-9]{54}(?!\w)/],
  ["facebook", /^EAA[MC][A-Za-z0-9]{100,}/],
  ["flutterwave", /^FLW(?:SEC|PUB)K(?:_TEST)?-[A-Za-z0-9]{12,32}(?:-X)?/],
  ["fly", /^fo1_[\w-]{43}|^fm(?:1[ar]|2)_[A-Za-z0-9+/]{100,}={0,3}/],
  ["frameio", /^fio-u-[\w=-]{64}/],
  ["grafana-key", /^eyJrIjoi[A-Za-z0-9]{70,400}={0,3}/],
  ["harness", /^(?:pat|sat)\.[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}/],
  ["heroku", /^HRKU-AA[\w-]{58}/],
  ["infracost", /^ico-[A-Za-z0-9]{32}(?!\w)/],
  ["maxmind", /^[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk(?!\w)/],
  ["octopus", /^API-[A-Z0-9]{26}(?!\w)/],
  ["openshift", /^sha256~[\w-]{43,}/],
  ["prefect", /^pnu_[A-Za-z0-9]{36}(?!\w)/],
  ["pulumi", /^pul-[a-f0-9]{40}(?!\w)/],
  ["readme", /^rdme_[a-z0-9]{70}/],
  ["scalingo", /^tk-us-[\w-]{48}/],
  ["settlemint", /^sm_[aps]at_[A-Za-z0-9]{16}/],
  ["shippo", /^shippo_(?:live|test)_[a-fA-F0-9]{40}/],
  // https://github.com/trufflesecurity/trufflehog/tree/main/pkg/detectors
  ["elevenlabs", /^sk_[a-f0-9]{48}(?!\w)/],
  ["langfuse", /^sk-lf-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/],
  // https://github.com/mongodb/kingfisher/tree/main/crates/kingfisher-rules/data/rules
  ["jina", /^jina_[A-Za-z0-9]{60}(?!\w)/],
  // https://vercel.com/changelog/new-token-formats-and-secret-scanning
  ["vercel", /^vc[piark]_[\w-]{24,}/],
  // https://discord.com/developers/docs/resources/webhook
  ["discord-webhook", /^discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/\d{17,20}\/[\w-]{60,}/],
  // https://www.rfc-editor.org/rfc/rfc7519: the header begins with `{"`.
  ["jwt", /^eyJ[\w-]{10,}\.eyJ[\w-]{8,}\.[\w-]{10,}/]
]

/** By their first characters, so that a run is compared with few. */
const formsByStart = Map.groupBy(
  forms.flatMap(([kind, form]) => listStarts(form).map((start) => ({ start, kind, form }))),
  ({ start }) => start
)

/** The first two characters that the alternatives of a form begin with; empty where they may be several. */
function listStarts(form: RegExp): ReadonlyArray<string> {
  const starts = form.source
    .split("|^")
    .map((each) => /^\^?([A-Za-z\d]{2})/.exec(each.replaceAll("\\.", "."))?.[1] ?? "")
  return [...new Set(starts)]
}

/** Where a token may begin in a run. */
const divider = makeCharacterSet(/[=:/.~+_-]/)
const leastToken = 16
const privateKey = /-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/g
const privateKeyEnd = /-----END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/g
/** https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1 */
const userInfo = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{0,100}:([^\s/:@]{3,200})@/gi

/** The last words of the names that secrets are assigned to. */
export const namesOfSecrets: ReadonlyArray<string> = [
  "key",
  "secret",
  "token",
  "passwd",
  "password",
  "pwd",
  "passphrase",
  "bearer",
  "authorization",
  "apikey",
  "secretkey",
  ..."pass pw credential credentials creds".split(" "),
  // In German, French, Spanish, Portuguese, Dutch and Italian; letters are without their accents.
  ..."passwort kennwort passe contrasena clave senha wachtwoord parola".split(" "),
  // Of two words, as JSON and connection strings write them.
  ..."account access private shared signing encryption secretaccess sharedaccess"
    .split(" ")
    .map((word) => `${word}key`),
  ..."access auth refresh api bearer id".split(" ").map((word) => `${word}token`),
  ..."client api app".split(" ").map((word) => `${word}secret`)
]
/** Names in other scripts. */
const foreignAssigned =
  /(?:密码|密碼|口令|パスワード|비밀번호|пароль|ключ|токен)\s{0,3}[:：=]\s{0,3}["'`]?([\x21\x23-\x26\x28-\x7e]{8,512})/gi
const nameHashes = new Set(namesOfSecrets.map((name) => hashWord(name)))
const assigned =
  /[\w-]{2,20}["']?(?:\s{0,3}(?::=|=>|[:=])\s{0,3}|\s{1,3}(?:is\s{1,3})?)(?:bearer\s{1,3}|basic\s{1,3})?["'`]?([^\s"'`,;<>(){}[\]]{8,512})/iy
/** What the first 512 characters of a value say is true of all of it. */
const restOfValue = /[^\s"'`,;<>(){}[\]]*/y

export const findSecrets: Detector = (text, { tokens, words }) => {
  const found: Array<Detection> = []
  findTokens(text, tokens, found)
  if (text.includes("-----BEGIN ")) findPrivateKeys(text, found)
  if (text.includes("://")) {
    for (const match of text.matchAll(userInfo)) {
      const end = match.index + match[0].length - 1
      found.push({ start: end - match[1]!.length, end, kind: "password-in-url" })
    }
  }
  for (let at = 0; at < words.length; at += 2) {
    const start = words[at]!
    if (nameHashes.has(hashWord(text, start, words[at + 1]))) addAssigned(text, start, found)
  }
  if (!isAscii(text)) {
    for (const { 0: match, 1: value = "", index } of text.matchAll(foreignAssigned)) {
      const end = index + match.length
      if (isRandom(value, true)) found.push({ start: end - value.length, end, kind: "assigned" })
    }
  }
  return found.length === 0 ? noDetections : found
}

const addAssigned = (text: string, at: number, found: Array<Detection>): void => {
  const last = found.at(-1)
  if (last?.kind === "assigned" && at < last.end) return
  assigned.lastIndex = at
  const match = assigned.exec(text)
  if (match === null) return
  const value = match[1]!
  const isNamed = /[=:]/.test(match[0].slice(0, match[0].length - value.length))
  if (!isRandom(value, isNamed)) return
  const end = at + match[0].length
  restOfValue.lastIndex = end
  restOfValue.test(text)
  found.push({ start: end - value.length, end: restOfValue.lastIndex, kind: "assigned" })
}

const findTokens = (text: string, tokens: ReadonlyArray<Span>, found: Array<Detection>): void => {
  for (const { end, start } of tokens) {
    for (let at = start; end - at >= leastToken; at++) {
      // A token may stand behind a name, such as `key=` or `https://host/`.
      if (at > start && !isIn(divider, text.charCodeAt(at - 1)) && !isUnmistakable(text, at)) {
        continue
      }
      const forms = formsByStart.get(text.slice(at, at + 2)) ?? others
      const detection =
        findForm(text, at, forms) ?? (forms === others ? undefined : findForm(text, at, others))
      if (detection === undefined) continue
      found.push(detection)
      at = detection.end - 1
    }
  }
}

/** What begins a token also directly behind other letters. */
const unmistakable =
  /(?:gh[pousr]_|github_pat_|glpat-|sk-(?:ant|proj|or-v1|svcacct)-|xox[abeoprs]-|AKIA|ASIA|AIza|npm_|pypi-AgE)/y
const firstUnits = makeCharacterSet(/[gsxAnp]/)

const isUnmistakable = (text: string, at: number): boolean => {
  if (!isIn(firstUnits, text.charCodeAt(at))) return false
  unmistakable.lastIndex = at
  return unmistakable.test(text)
}

const others = formsByStart.get("") ?? []

const findForm = (text: string, at: number, candidates: typeof others): Detection | undefined => {
  if (candidates.length === 0) return undefined
  const rest = text.slice(at, at + maxToken)
  for (const { form, kind } of candidates) {
    const found = form.exec(rest)?.[0]
    if (found !== undefined) return { start: at, end: at + found.length, kind }
  }
  return undefined
}

/** Tokens are shorter, because servers limit headers: Node all of them to 16 KiB (https://nodejs.org/api/http.html#httpmaxheadersize). */
const maxToken = 16_384

const findPrivateKeys = (text: string, found: Array<Detection>): void => {
  for (const { 0: begin, index: start } of text.matchAll(privateKey)) {
    if (start < (found.at(-1)?.end ?? 0)) continue
    privateKeyEnd.lastIndex = start + begin.length
    const end = privateKeyEnd.exec(text.slice(0, start + maxPrivateKey))
    found.push({
      start,
      end: end === null ? Math.min(text.length, start + maxPrivateKey) : end.index + end[0].length,
      kind: "private-key"
    })
  }
}

/** Longer than an RSA key of 8192 bits in PEM. */
const maxPrivateKey = 8_192

const placeholders =
  /^(?:\$|\{|<|%|x{4,}|\*{3,}|\.{3,}|your|my|example|change|placeholder|redacted|process\.env|os\.environ|env\.|null|undefined|true|false|none|string$|required)/i

/** Whether characters are drawn at random, rather than words: by their entropy, and by their kinds. */
const isRandom = (value: string, isNamed: boolean): boolean => {
  if (placeholders.test(value) || /^https?:/i.test(value)) return false
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length
  const isMixed = kinds >= 3 || (kinds === 2 && /\d/.test(value))
  if (!isMixed || !/\d/.test(value)) return false
  const bits = computeEntropy(value)
  return isNamed ? bits >= 2.75 : bits >= 3.5 && value.length >= 16
}

/** Bits for each character (Shannon). */
const computeEntropy = (text: string): number => {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values())
    bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}
