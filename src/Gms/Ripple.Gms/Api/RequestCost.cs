using Microsoft.AspNetCore.Http.Metadata;

namespace Ripple.Gms.Api;

/// <summary>
/// What a route costs the host, and so how many of it run at one time; for each token a part of that, so that one caller does not keep the
/// others out.
/// </summary>
/// <param name="Name">The name of its kind.</param>
/// <param name="AtOnceMax">How many run at once.</param>
/// <param name="WaitingMax">How many more wait, with their bodies unread.</param>
/// <param name="BodyBytesMax">The largest body.</param>
internal sealed record RequestCost(string Name, int AtOnceMax, int WaitingMax, long BodyBytesMax) : IRequestSizeLimitMetadata
{
    private const long SmallBytes = 64 * 1024;

    /// <summary>A look into memory.</summary>
    public static readonly RequestCost Light = new("light", 64, 512, SmallBytes);

    /// <summary>A value, or a state of the past: up to 16 MiB in memory, and work for the store.</summary>
    public static readonly RequestCost Heavy = new("heavy", 16, 256, SmallBytes);

    /// <summary>A publish: the largest one in base64, and what is around it.</summary>
    public static readonly RequestCost Change = new("change", 8, 64, 24 * 1024 * 1024);

    /// <summary>A wait, which is long.</summary>
    public static readonly RequestCost Wait = new("wait", 512, 0, SmallBytes);

    /// <summary>The part of one token.</summary>
    public RequestCost OfOneToken => this with { AtOnceMax = Math.Max(1, AtOnceMax / 2), WaitingMax = WaitingMax / 2 };

    long? IRequestSizeLimitMetadata.MaxRequestBodySize => BodyBytesMax;
}
