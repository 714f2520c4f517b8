declare module 'jest-circus/runner' {
  const runner: {
    default: (
      globalConfig: unknown,
      config: unknown,
      environment: unknown,
      runtime: unknown,
      testPath: string,
      tell: unknown,
    ) => Promise<unknown>;
  };
  export default runner;
}
