/** Why a database cannot be used, in the words of whoever knows, and what to do about it. */

/** An error of a driver says where it happened; why stands in its cause. Ours say what to do themselves. */
export const toErrorAdvice = (error: unknown): string => {
  const why = findRootCause(error)
  const said = why instanceof Error && why.message !== "" ? why.message : String(why)
  if (why === error) return said
  const known = listErrorCodes(why).find((code) => Object.hasOwn(advice, code))
  return `${said}; ${known === undefined ? defaultAdvice : advice[known]}`
}

const findRootCause = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error
  // A name with several addresses fails with an error for each.
  const deeper: unknown = error instanceof AggregateError ? error.errors[0] : error.cause
  return deeper instanceof Error ? findRootCause(deeper) : error
}

/** Those of Node and of Postgres are texts; SQLite's are numbers, which may say more in their upper bits. */
const listErrorCodes = (error: unknown): ReadonlyArray<string> => {
  if (typeof error !== "object" || error === null) return []
  return [
    ...("errcode" in error ? [`SQLite ${Number(error.errcode) & 0xff}`] : []),
    ...("code" in error ? [String(error.code)] : [])
  ]
}

const hostAdvice = "is the host in its url spelled right?"
const fileAdvice =
  "it must be a file, or a name for one in a folder that is there, and this process must be able to write to both"

const authorityAdvice =
  "name the authority that signed its certificate: `ssl: { ca }` with the PEM file the provider of the database offers"

const advice: Readonly<Record<string, string>> = {
  ENOTFOUND: hostAdvice,
  EAI_AGAIN: hostAdvice,
  ECONNREFUSED: "does it run there, and listen on this port?",
  "28P01": "check the user and the password in its url",
  SELF_SIGNED_CERT_IN_CHAIN: authorityAdvice,
  DEPTH_ZERO_SELF_SIGNED_CERT: authorityAdvice,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: authorityAdvice,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: authorityAdvice,
  ERR_TLS_CERT_ALTNAME_INVALID:
    "connect to a name its certificate is for, or name that with `ssl: { servername }`",
  CERT_HAS_EXPIRED: "renew the certificate of the server",
  "08P01":
    "a pooler such as PgBouncer must name search_path in ignore_startup_parameters, see docs/guides/storage.md",
  "28000":
    "check the user in its url, and whether pg_hba.conf of the server lets it in from here; where that asks for encryption, add ?sslmode=require to the url",
  "3D000": "create it, or name another one in the url",
  "42501":
    "grant this to the user in its url; who may not make schemas needs one that was made before",
  "53300": "lower `maxConnections`, or raise max_connections of the server",
  "SQLite 8": fileAdvice,
  "SQLite 11": "restore it from a backup",
  "SQLite 13": "make room on its disk",
  "SQLite 14": fileAdvice,
  "SQLite 26": "name another file"
}

const defaultAdvice =
  "check what it was opened with, and whether it runs and can be reached from here"
