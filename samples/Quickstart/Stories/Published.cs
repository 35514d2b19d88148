namespace Quickstart.Stories;

/// <summary>A release as the publisher knows it.</summary>
/// <param name="Release">Its number.</param>
/// <param name="What">What it is, for people.</param>
/// <param name="Hash">The hash every node that has it in effect must report.</param>
/// <param name="Timestamp">When the publish began, on the monotonic clock.</param>
/// <param name="BytesBefore">What the host had sent by then.</param>
internal sealed record Published(ulong Release, string What, string Hash, long Timestamp, long BytesBefore);
