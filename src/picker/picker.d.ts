// What the build puts in.

declare module '*.css';
/** Address of the worker that draws. */
declare const WORKER_FILE: string;
