// Where a template reads its Key, as section 4 has it: the environment, then the file in the package's root.

/** The Key a template uses, or undefined. */
export function readTemplateKey(
  environment: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>>,
): string | undefined {
  const { key } = JSON.parse(files['service.key.json'] ?? '{}') as { key?: string };
  return environment['SERVICE_API_KEY'] ?? key;
}
