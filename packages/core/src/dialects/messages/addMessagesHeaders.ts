/** Adds what a caller says in the headers of Anthropic's API to a request. */
import type { HeadedRequest } from "../makeDialectChat.ts"

/**
 * Betas join those of the host. A provider whose `bodyVersion` replaces the header takes them in the body too:
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html.
 */
export const addMessagesHeaders = (
  { body, headers = {} }: HeadedRequest,
  given: Readonly<Record<string, string>>,
  bodyVersion: string | undefined
): HeadedRequest => {
  const { [betaHeader]: beta, [versionHeader]: version } = given
  if (bodyVersion !== undefined) {
    return beta === undefined
      ? { body, headers }
      : {
          headers,
          body: { ...body, anthropic_beta: listBetas([...toTexts(body["anthropic_beta"]), beta]) }
        }
  }
  const ofHost = Object.entries(headers).flatMap(([name, value]) =>
    name.toLowerCase() === betaHeader ? [value] : []
  )
  const others = Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) =>
        (version === undefined || name.toLowerCase() !== versionHeader) &&
        (beta === undefined || name.toLowerCase() !== betaHeader)
    )
  )
  return {
    body,
    headers: {
      ...others,
      ...(version === undefined ? undefined : { [versionHeader]: version }),
      ...(beta === undefined
        ? undefined
        : { [betaHeader]: ofHost.length === 0 ? beta : listBetas([...ofHost, beta]).join(",") })
    }
  }
}

export const versionHeader = "anthropic-version"
const betaHeader = "anthropic-beta"

const listBetas = (lists: ReadonlyArray<string>): ReadonlyArray<string> =>
  Array.from(new Set(lists.flatMap((list) => list.split(",")).flatMap((beta) => beta.trim() || [])))

const toTexts = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : []
