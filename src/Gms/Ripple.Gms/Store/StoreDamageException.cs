namespace Ripple.Gms.Store;

/// <summary>
/// What is stored is not what was committed: a value, a header or a signature was changed or lost. The message names it, and what to do.
/// The rest of the store is good.
/// </summary>
internal sealed class StoreDamageException(string message) : Exception(message);
