/** Turns the error of a database driver into a message that says why it failed and what to do. */

/**
 * Appends advice to the root cause of a driver's error: what is known of its code, or else `otherwise`. An error without a
 * cause is ours and keeps its message.
 */
export const toErrorAdvice = (error: unknown, otherwise?: string): string => {
  const rootCause = findRootCause(error)
  const message =
    rootCause instanceof Error && rootCause.message !== "" ? rootCause.message : String(rootCause)
  if (rootCause === error) return message
  const knownCode = listErrorCodes(rootCause).find((code) => Object.hasOwn(advice, code))
  const advised = knownCode === undefined ? otherwise : advice[knownCode]
  return advised === undefined ? message : `${message}; ${advised}`
}

const findRootCause = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error
  // A hostname with several addresses fails with one error per address.
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error.cause
  return cause instanceof Error ? findRootCause(cause) : error
}

/** Codes of Node and Postgres are text. SQLite's are numbers, whose upper bits only add detail. */
const listErrorCodes = (error: unknown): ReadonlyArray<string> => {
  if (typeof error !== "object" || error === null) return []
  return [
    ...("errcode" in error ? [`SQLite ${Number(error.errcode) & 0xff}`] : []),
    ...("code" in error ? [String(error.code)] : [])
  ]
}

const hostAdvice = "is the host in its url spelled right?"
const fileAdvice =
  "the path must name a file in an existing folder, and this process must be able to write to both"

const authorityAdvice =
  "pass the authority that signed the server's certificate: `ssl: { ca }` with the PEM file of your database provider"

/** By error code of Node, `SQLSTATE` of Postgres or primary result code of SQLite. */
const advice: Readonly<Record<string, string>> = {
  ENOTFOUND: hostAdvice,
  EAI_AGAIN: hostAdvice,
  ECONNREFUSED: "is Postgres running there and listening on this port?",
  "28P01": "check the user and the password in its url",
  SELF_SIGNED_CERT_IN_CHAIN: authorityAdvice,
  DEPTH_ZERO_SELF_SIGNED_CERT: authorityAdvice,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: authorityAdvice,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: authorityAdvice,
  ERR_TLS_CERT_ALTNAME_INVALID:
    "connect to a hostname in its certificate, or set that name with `ssl: { servername }`",
  CERT_HAS_EXPIRED: "renew the certificate of the server",
  "08P01":
    "add search_path to ignore_startup_parameters of the pooler, such as PgBouncer; see docs/guides/storage.md",
  "28000":
    "check the user in its url, and whether the server's pg_hba.conf allows it to connect from here; if it requires encryption, add ?sslmode=require to the url",
  "3D000": "create the database, or name another one in the url",
  "42501":
    "grant this to the user in its url; a user that may not create schemas needs one that already exists",
  "53100": "free space on its disk",
  "53300": "lower `maxConnections`, or raise max_connections of the server",
  "SQLite 8": fileAdvice,
  "SQLite 11": "the file is corrupt; restore it from a backup",
  "SQLite 13": "free space on its disk",
  "SQLite 14": fileAdvice,
  "SQLite 26": "give the path of another file"
}

/** For errors of the start, which mean that the options are wrong more often than later ones do. */
export const startAdvice =
  "check the options, and whether it is running and can be reached from here"
