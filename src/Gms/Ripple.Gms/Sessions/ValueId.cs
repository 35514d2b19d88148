using Ripple.Engine.Releases;

namespace Ripple.Gms.Sessions;

/// <summary>
/// A value of an application. What two applications have alike is two values: whoever may read one must not learn that the other has it.
/// </summary>
/// <param name="Topic">The application's topic number.</param>
/// <param name="Digest">The value's digest.</param>
internal readonly record struct ValueId(uint Topic, Digest160 Digest);
