using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Ripple.Client.Spaces;
using Ripple.Engine.Protocol;

namespace Ripple.Client;

/// <summary>
/// Events whose attributes are a record: <c>record Trade(double Price, long Volume)</c> has the dimensions <c>price</c> and <c>volume</c>.
/// Each parameter of the record's longest constructor is a dimension, by its name in camel case or by
/// <see cref="RippleDimensionAttribute"/>, and has a property of its name. Real numbers are <see cref="double"/> or <see cref="float"/>,
/// whole ones <see cref="long"/> or smaller, times <see cref="DateTimeOffset"/>. Thread-safe.
/// </summary>
public static class RippleSpaceExtensions
{
    private const DynamicallyAccessedMemberTypes Members =
        DynamicallyAccessedMemberTypes.PublicConstructors | DynamicallyAccessedMemberTypes.PublicProperties;

    /// <summary>
    /// Emits an event with the attributes of a record, as
    /// <see cref="IRippleSpace.EmitAsync(RipplePoint, ReadOnlyMemory{byte}, EmitUntil, CancellationToken)"/>.
    /// </summary>
    /// <typeparam name="T">The record.</typeparam>
    /// <param name="space">The space.</param>
    /// <param name="point">A value for each dimension of the space.</param>
    /// <param name="payload">What it carries: at most 64 KiB; copied.</param>
    /// <param name="until">How far it is to be when this returns.</param>
    /// <param name="cancellationToken">Ends the waiting; does not take the event back.</param>
    /// <exception cref="RippleException">
    /// The host refused it, by the name of what is wrong: a property without a dimension, a dimension without a property, a value; or a
    /// property has a type that no dimension has; or the payload is too large.
    /// </exception>
    public static async Task<EmittedEvent> EmitAsync<[DynamicallyAccessedMembers(Members)] T>(
        this IRippleSpace space,
        T point,
        ReadOnlyMemory<byte> payload = default,
        EmitUntil until = EmitUntil.Delivered,
        CancellationToken cancellationToken = default)
        where T : notnull
    {
        ArgumentNullException.ThrowIfNull(space);
        ArgumentNullException.ThrowIfNull(point);
        PointShape<T> shape = PointShape<T>.Get();
        try
        {
            return await space.EmitAsync(shape.ToPoint(point), payload, until, cancellationToken).ConfigureAwait(false);
        }
        catch (RippleException e) when (e.Code == ErrorCode.InvalidRequest)
        {
            // The host names dimensions; what of the record they are, this side alone knows.
            throw new RippleException(e.Code, $"{e.Message} {shape.Describe()}");
        }
    }

    /// <summary>
    /// Subscribes to events whose attributes are shown as a record, as
    /// <see cref="IRippleSpace.SubscribeAsync(Action{RippleBox}, CancellationToken)"/>.
    /// </summary>
    /// <typeparam name="T">The record. Names of dimensions match its properties whatever their case.</typeparam>
    /// <param name="space">The space.</param>
    /// <param name="where">Sets the ranges; null for all events.</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <exception cref="RippleException">
    /// The host refused, or ended it because the space was changed; or an event has a dimension that is no property of the record, or none
    /// for one of its properties, or a value that the property cannot have; while enumerating.
    /// </exception>
    public static IAsyncEnumerable<RippleTypedEvent<T>> SubscribeAsync<[DynamicallyAccessedMembers(Members)] T>(
        this IRippleSpace space, Action<RippleBox>? where = null, CancellationToken cancellationToken = default)
        where T : notnull =>
        SubscribeAsync<T>(space, where, new RippleSubscribeOptions(), cancellationToken);

    /// <inheritdoc cref="SubscribeAsync{T}(IRippleSpace, Action{RippleBox}, CancellationToken)"/>
    /// <param name="space">The space.</param>
    /// <param name="where">Sets the ranges; null for all events.</param>
    /// <param name="options">What happens where the queue is full.</param>
    /// <param name="cancellationToken">Ends it.</param>
    public static IAsyncEnumerable<RippleTypedEvent<T>> SubscribeAsync<[DynamicallyAccessedMembers(Members)] T>(
        this IRippleSpace space,
        Action<RippleBox>? where,
        RippleSubscribeOptions options,
        CancellationToken cancellationToken = default)
        where T : notnull
    {
        ArgumentNullException.ThrowIfNull(space);
        PointShape<T> shape = PointShape<T>.Get();
        return ReadAsync(space.Application, space.SubscribeAsync(where, options, cancellationToken), shape, cancellationToken);
    }

    private static async IAsyncEnumerable<RippleTypedEvent<T>> ReadAsync<[DynamicallyAccessedMembers(Members)] T>(
        string application,
        IAsyncEnumerable<RippleEvent> events,
        PointShape<T> shape,
        [EnumeratorCancellation] CancellationToken cancellationToken)
        where T : notnull
    {
        await foreach (RippleEvent shown in events.WithCancellation(cancellationToken).ConfigureAwait(false))
        {
            yield return new RippleTypedEvent<T>(shown, shape.FromPoint(application, shown.Point));
        }
    }
}
