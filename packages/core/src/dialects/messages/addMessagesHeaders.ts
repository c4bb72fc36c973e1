/** Adds the caller's headers of Anthropic's API to a request. */
import { omitUndefined } from "../../values/ownFields.ts"
import type { HeadedRequest } from "../makeDialectChat.ts"

/**
 * Adds the caller's headers; its betas join those of the host. A provider whose `bodyVersion` replaces the version
 * header takes betas in the body, too:
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html.
 * The caller's headers are not secret, so answers and errors may repeat them.
 */
export const addMessagesHeaders = (
  request: HeadedRequest,
  given: Readonly<Record<string, string>>,
  bodyVersion: string | undefined
): HeadedRequest => {
  const { body, headers = {} } = request
  const { [betaHeader]: beta, [versionHeader]: version } = given
  if (beta === undefined && (version === undefined || bodyVersion !== undefined)) return request
  if (bodyVersion !== undefined) {
    const betas = listBetas([...toTexts(body["anthropic_beta"]), ...toTexts([beta])])
    return { ...request, body: { ...body, anthropic_beta: betas } }
  }
  const ofHost = Object.keys(headers).flatMap((name) =>
    name.toLowerCase() === betaHeader ? [headers[name] ?? ""] : []
  )
  return {
    ...request,
    nonSecretHeaders: omitUndefined({
      [versionHeader]: version,
      [betaHeader]:
        beta === undefined || ofHost.length === 0 ? beta : listBetas([...ofHost, beta]).join(",")
    })
  }
}

export const versionHeader = "anthropic-version"
const betaHeader = "anthropic-beta"

const listBetas = (lists: ReadonlyArray<string>): ReadonlyArray<string> =>
  Array.from(new Set(lists.flatMap((list) => list.split(",")).flatMap((beta) => beta.trim() || [])))

const toTexts = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : []
