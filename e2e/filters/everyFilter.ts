/** Every content filter at once, of the default workspace: on prompts and answers, with contents put back. */
export const everyFilter = {
  id: "ffffffff-0000-4000-8000-000000000000",
  content_filter_builtins: [
    ...(
      ["credit-card", "iban", "ip-address", "national-id", "phone", "secrets", "ssn"] as const
    ).map((slug) => ({ slug, action: "redact", scope: "both" }) as const),
    { slug: "email", action: "redact", scope: "both", restore: true },
    { slug: "regex-prompt-injection", action: "flag", scan_scope: "all_messages" }
  ],
  content_filters: [{ pattern: "EMP-\\d{5}", action: "redact", label: null, scope: "both" }]
} as const
