/** Whether a browser sends this content type across origins without a CORS preflight. */
export const isForm = (contentType: string | undefined): boolean =>
  contentType !== undefined && forms.test(contentType)

/** https://fetch.spec.whatwg.org/#cors-safelisted-request-header */
const forms =
  /^\s*(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\s*(?:;|$)/i
