using Ripple.Engine.Releases;

namespace Ripple.Gms.Store;

/// <summary>A key in an application's state.</summary>
/// <param name="Key">The key.</param>
/// <param name="Entry">Its value's digest, length and form.</param>
/// <param name="Release">The release that set it last.</param>
internal readonly record struct StoredKey(string Key, KeyEntry Entry, ulong Release);
