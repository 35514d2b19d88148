using Microsoft.AspNetCore.Http;
using Ripple.Gms.Publishing;

namespace Ripple.Gms.Api;

/// <summary>
/// The body of a publish, read into one buffer and taken apart there, so that it costs about twice its length however many items it has.
/// </summary>
/// <param name="Note">The note.</param>
/// <param name="Keys">The keys with their values, in the order of the body.</param>
internal sealed record PublishBody(string Note, IReadOnlyList<PublishInputKey> Keys)
{
    /// <summary>The memory of one body while it is taken apart: the buffer, the one it grew from, and the values.</summary>
    public const long BytesMax = 3 * BufferBytesMax;

    private const long BufferBytesMax = 24 * 1024 * 1024;
    private const int FirstBytes = 64 * 1024;

    /// <summary>Reads the body of a request; called by the server before the route's filters.</summary>
    public static async ValueTask<PublishBody> BindAsync(HttpContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        byte[] buffer = new byte[FirstBytes];
        int length = 0;
        Stream body = context.Request.Body;
        while (await body.ReadAsync(buffer.AsMemory(length), context.RequestAborted).ConfigureAwait(false) is > 0 and int read)
        {
            length += read;
            if (length == buffer.Length)
            {
                if (length >= BufferBytesMax)
                {
                    throw new BadHttpRequestException("The body is too large.", StatusCodes.Status413PayloadTooLarge);
                }

                Array.Resize(ref buffer, (int)Math.Min(2L * length, BufferBytesMax));
            }
        }

        return PublishBodyReader.Read(buffer.AsSpan(0, length));
    }
}
