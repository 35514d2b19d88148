using Microsoft.AspNetCore.Http.Metadata;

namespace Ripple.Gms.Api;

/// <summary>
/// The cost class of a route, which sets how many of its requests run at once. Each token gets at most half, and the tokens of an
/// application three quarters, so that one caller cannot lock out the others.
/// </summary>
/// <param name="Name">The name of the class.</param>
/// <param name="AtOnceMax">The most requests that run at once.</param>
/// <param name="WaitingMax">The most further requests that wait, with their bodies unread.</param>
/// <param name="BodyBytesMax">The largest request body, in bytes.</param>
internal sealed record RequestCost(string Name, int AtOnceMax, int WaitingMax, long BodyBytesMax) : IRequestSizeLimitMetadata
{
    private const long SmallBytes = 64 * 1024;

    /// <summary>Answered from memory.</summary>
    public static readonly RequestCost Light = new("light", 64, 512, SmallBytes);

    /// <summary>A value, or a past state: up to 16 MiB of memory, and a store read.</summary>
    public static readonly RequestCost Heavy = new("heavy", 16, 256, SmallBytes);

    /// <summary>A publish: room for the largest one in base64 with its envelope.</summary>
    public static readonly RequestCost Change = new("change", 8, 64, 24 * 1024 * 1024);

    /// <summary>A wait, which is a long-running request.</summary>
    public static readonly RequestCost Wait = new("wait", 512, 0, SmallBytes);

    /// <summary>The share of a single token: half of each limit.</summary>
    public RequestCost OfOneToken =>
        this with { AtOnceMax = (int)ShareLedger.HalfOf(AtOnceMax), WaitingMax = WaitingMax / 2 };

    /// <summary>The share of the tokens of one application together: three quarters of each limit.</summary>
    public RequestCost OfOneApplication =>
        this with { AtOnceMax = (int)ShareLedger.ThreeQuartersOf(AtOnceMax), WaitingMax = WaitingMax - (WaitingMax / 4) };

    long? IRequestSizeLimitMetadata.MaxRequestBodySize => BodyBytesMax;
}
