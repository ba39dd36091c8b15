// The variables that make an unchanged template use svcd: the address, and a local token where it expects a Key.

/** Names as the service's document and its templates have them. */
export function templateVariables(url: string, token: string) {
  return { SERVICE_BASE_URL: url, SERVICE_API_KEY: token };
}
