using System.Net;
using System.Net.Http.Headers;
using System.Text;

namespace Ripple.Gms.Tests.Api;

/// <summary>A body of which the first byte is sent at once, and the rest when it is told to.</summary>
internal sealed class SlowContent : HttpContent
{
    private readonly byte[] _bytes;
    private readonly TaskCompletionSource _begun = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _finish = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public SlowContent(string json)
    {
        _bytes = Encoding.UTF8.GetBytes(json);
        Headers.ContentType = new MediaTypeHeaderValue("application/json");
    }

    public Task Begun => _begun.Task;

    public void Finish() => _finish.TrySetResult();

    protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context)
    {
        await stream.WriteAsync(_bytes.AsMemory(0, 1));
        await stream.FlushAsync();
        _begun.TrySetResult();
        await _finish.Task;
        await stream.WriteAsync(_bytes.AsMemory(1));
    }

    protected override bool TryComputeLength(out long length)
    {
        length = 0;
        return false;
    }
}
